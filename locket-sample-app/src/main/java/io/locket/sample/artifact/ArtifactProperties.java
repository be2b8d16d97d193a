package io.locket.sample.artifact;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What to inventory.
 *
 * @param dir directory whose jars are the artifacts, or none for the modules of the JDK
 * and the jars of this application
 */
@ConfigurationProperties("inventory")
record ArtifactProperties(@Nullable String dir) {

}
