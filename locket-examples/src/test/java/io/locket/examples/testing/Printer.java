package io.locket.examples.testing;

/**
 * A printer, the external effect of the jobs.
 */
public interface Printer {

	void print(String page);

}
