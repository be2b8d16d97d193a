package io.locket.test;

/**
 * A Redis process, wherever it runs. {@link #start()} returns when it answers.
 */
interface RedisProcess {

	String host();

	int port();

	void start();

	void freeze();

	void resume();

	void stop();

	void close();

}
