/**
 * Test support for all packages: a real Redis, a counter of its commands, and other JVMs.
 */
package io.locket.testing;
