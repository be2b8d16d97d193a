/**
 * Settings of workers, as the engine receives them. Not part of the API.
 */
@NullMarked
package io.locket.worker.settings;

import org.jspecify.annotations.NullMarked;
