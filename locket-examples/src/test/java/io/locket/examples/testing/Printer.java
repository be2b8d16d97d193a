package io.locket.examples.testing;

/**
 * What jobs do in the end.
 */
public interface Printer {

	void print(String page);

}
