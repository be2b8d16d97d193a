package io.locket.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.util.HtmlUtils;

/**
 * The page, which knows the address of the endpoint relative to its own. Thread-safe.
 */
public final class DashboardPage {

	private static final String TEMPLATE = new String(DashboardFiles.read("index.html"), StandardCharsets.UTF_8);

	private final String basePath;

	private final Supplier<String> endpointPath;

	private final boolean writable;

	/**
	 * Creates a page.
	 * @param basePath the path of the page, with a leading and without a trailing slash
	 * @param endpointPath the path of the endpoint on the same server, with a leading
	 * slash; evaluated when all endpoints are known
	 * @param writable whether the access of the endpoint allows writes
	 */
	public DashboardPage(String basePath, Supplier<String> endpointPath, boolean writable) {
		this.basePath = Objects.requireNonNull(basePath, "'basePath' must not be null");
		this.endpointPath = Objects.requireNonNull(endpointPath, "'endpointPath' must not be null");
		this.writable = writable;
	}

	/**
	 * Return the path of the page.
	 * @return the path, with a leading and without a trailing slash
	 */
	public String basePath() {
		return this.basePath;
	}

	/**
	 * Return whether the endpoint serves the path of the page, so that the page is not
	 * reachable.
	 * @return {@code true} if the path of the page is that of the endpoint or below it
	 */
	public boolean isBelowEndpoint() {
		return (this.basePath + "/").startsWith(this.endpointPath.get() + "/");
	}

	/**
	 * Returns the address of the page relative to its path without the trailing slash:
	 * the last segment of the path and a slash.
	 */
	String redirect() {
		return this.basePath.substring(this.basePath.lastIndexOf('/') + 1) + "/";
	}

	/**
	 * Return whether the page offers writes.
	 * @return {@code true} if the access of the endpoint allows them
	 */
	public boolean isWritable() {
		return this.writable;
	}

	/**
	 * Render the page.
	 * @param csrf the token that writes need, or {@code null} if they need none
	 * @return the page as HTML
	 */
	public String render(@Nullable CsrfField csrf) {
		return TEMPLATE.replace("{{endpoint}}", HtmlUtils.htmlEscape(relativeEndpoint()))
			.replace("{{access}}", this.writable ? "unrestricted" : "read-only")
			.replace("{{csrf-header}}", (csrf != null) ? HtmlUtils.htmlEscape(csrf.header()) : "")
			.replace("{{csrf-token}}", (csrf != null) ? HtmlUtils.htmlEscape(csrf.token()) : "");
	}

	/**
	 * Relative addresses stay valid behind a proxy that adds or strips a prefix.
	 */
	private String relativeEndpoint() {
		int depth = StringUtils.countOccurrencesOf(this.basePath, "/");
		return "../".repeat(depth) + StringUtils.trimLeadingCharacter(this.endpointPath.get(), '/');
	}

}
