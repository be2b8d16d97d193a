/**
 * Auto-configuration that the features share: the instance, and checks of properties. Not
 * part of the API.
 */
@NullMarked
package io.locket.autoconfigure;

import org.jspecify.annotations.NullMarked;
