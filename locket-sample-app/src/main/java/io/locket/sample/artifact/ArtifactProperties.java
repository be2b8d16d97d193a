package io.locket.sample.artifact;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the inventory.
 *
 * @param dir directory whose jars are the artifacts. If not set, the modules of the JDK
 * and the jars of this application
 */
@ConfigurationProperties("inventory")
record ArtifactProperties(@Nullable String dir) {

}
