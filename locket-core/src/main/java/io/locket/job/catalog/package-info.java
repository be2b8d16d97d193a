/**
 * Declared jobs of the application and the beans that run them. Not part of the API,
 * except for {@link io.locket.job.catalog.UniqueJobCatalog}.
 */
@NullMarked
package io.locket.job.catalog;

import org.jspecify.annotations.NullMarked;
