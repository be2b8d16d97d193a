/**
 * The HTTP API of the sample.
 */
@NullMarked
package io.locket.sample.web;

import org.jspecify.annotations.NullMarked;
