/**
 * What the sample says over HTTP.
 */
@NullMarked
package io.locket.sample.web;

import org.jspecify.annotations.NullMarked;
