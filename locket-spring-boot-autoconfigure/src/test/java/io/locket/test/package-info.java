/**
 * What tests of all packages need: a real Redis, a count of its commands, and other JVMs.
 */
package io.locket.test;
