/**
 * Loading and running of Lua scripts. Not part of the API.
 */
@NullMarked
package io.locket.redis.script;

import org.jspecify.annotations.NullMarked;
