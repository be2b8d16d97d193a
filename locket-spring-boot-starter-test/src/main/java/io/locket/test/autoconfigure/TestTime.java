package io.locket.test.autoconfigure;

import io.locket.test.TestClock;

/**
 * Holder of the clock of a test. It keeps the clock from being an autowire candidate if
 * the service has a clock of its own.
 *
 * @param clock the clock
 */
record TestTime(TestClock clock) {

}
