/**
 * One run of a queued job: its handler, its body, its attempts and its outcome. Not part
 * of the API.
 */
@NullMarked
package io.locket.worker.run;

import org.jspecify.annotations.NullMarked;
