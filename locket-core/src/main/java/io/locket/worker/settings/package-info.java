/**
 * Settings of workers, as the engine receives them.
 */
@NullMarked
package io.locket.worker.settings;

import org.jspecify.annotations.NullMarked;
