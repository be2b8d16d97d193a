package io.locket.test.autoconfigure;

import io.locket.test.TestClock;

/**
 * Holds the clock of a test, which is no candidate where the service has a clock of its
 * own.
 *
 * @param clock the clock
 */
record TestTime(TestClock clock) {

}
