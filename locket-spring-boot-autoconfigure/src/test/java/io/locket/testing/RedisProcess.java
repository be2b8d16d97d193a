package io.locket.testing;

/**
 * A Redis process. {@link #start()} returns when it replies.
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
