/**
 * The bodies of the responses of the endpoint. Not part of the API.
 */
@NullMarked
package io.locket.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
