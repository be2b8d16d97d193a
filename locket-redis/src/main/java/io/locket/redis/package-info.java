/**
 * Connections to Redis: their replacement, checks of the server and its user, and a
 * description of failures. Not part of the API.
 */
@NullMarked
package io.locket.redis;

import org.jspecify.annotations.NullMarked;
