package io.locket.autoconfigure.properties;

import org.springframework.util.StringUtils;

/**
 * Properties of the dashboard, a module of its own.
 */
public class DashboardProperties {

	/**
	 * Whether to serve the dashboard.
	 */
	private boolean enabled = true;

	/**
	 * Path of the dashboard.
	 */
	private String basePath = "/locket";

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public String getBasePath() {
		return this.basePath;
	}

	public void setBasePath(String basePath) {
		this.basePath = StringUtils.trimTrailingCharacter(basePath, '/');
	}

}
