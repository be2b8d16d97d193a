/**
 * Workers: threads that take queued jobs and run them. Not part of the API.
 */
@NullMarked
package io.locket.worker;

import org.jspecify.annotations.NullMarked;
