package io.locket.autoconfigure.properties;

import org.springframework.util.Assert;
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
		String path = StringUtils.trimTrailingCharacter(basePath, '/');
		Assert.isTrue(path.matches("(/[\\w.~-]+)+"), () -> "'locket.dashboard.base-path' must begin with a slash and "
				+ "consist of plain segments, such as /ops/locket, but is '" + basePath + "'");
		this.basePath = path;
	}

}
