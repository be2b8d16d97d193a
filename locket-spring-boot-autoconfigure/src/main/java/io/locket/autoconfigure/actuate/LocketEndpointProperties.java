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
	 * When to show the arguments of jobs, the readable text of their keys and the
	 * messages of their errors and of their progress.
	 */
	private Show showArguments = Show.NEVER;

	/**
	 * Roles of those to whom arguments are shown when they are authorized. When empty,
	 * all authenticated users are authorized.
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
