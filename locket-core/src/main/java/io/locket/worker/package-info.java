/**
 * Workers: threads that take queued jobs and run them.
 */
@NullMarked
package io.locket.worker;

import org.jspecify.annotations.NullMarked;
