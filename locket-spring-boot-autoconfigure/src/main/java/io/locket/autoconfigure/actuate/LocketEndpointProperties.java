package io.locket.autoconfigure.actuate;

import java.util.HashSet;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of Locket's Actuator endpoint.
 */
@ConfigurationProperties("management.endpoint.locket")
public class LocketEndpointProperties {

	/**
	 * When to show job arguments, readable keys, and the messages of errors and progress.
	 */
	private Show showArguments = Show.NEVER;

	/**
	 * Roles that authorize a user to see arguments. If empty, all authenticated users are
	 * authorized.
	 */
	private final Set<String> roles = new HashSet<>();

	public Show getShowArguments() {
		return this.showArguments;
	}

	public void setShowArguments(Show showArguments) {
		this.showArguments = showArguments;
	}

	public Set<String> getRoles() {
		return this.roles;
	}

}
