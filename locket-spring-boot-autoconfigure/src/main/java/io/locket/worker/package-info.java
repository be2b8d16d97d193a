/**
 * The workers: they take queued jobs, run them and say how they ended.
 */
@NullMarked
package io.locket.worker;

import org.jspecify.annotations.NullMarked;
