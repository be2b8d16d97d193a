package io.locket.dashboard;

import java.net.URI;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * The responses of the dashboard, the same on either stack. Thread-safe.
 */
public final class DashboardResponses {

	private final DashboardPage page;

	private final DashboardFiles files;

	/**
	 * Create responses.
	 * @param page the page
	 * @param files the files of the page
	 */
	public DashboardResponses(DashboardPage page, DashboardFiles files) {
		this.page = Objects.requireNonNull(page, "'page' must not be null");
		this.files = Objects.requireNonNull(files, "'files' must not be null");
	}

	/**
	 * Return the path of the dashboard.
	 * @return the path, with a leading and without a trailing slash
	 */
	public String basePath() {
		return this.page.basePath();
	}

	/**
	 * Return the names of the files below the path.
	 * @return the names
	 */
	public Set<String> files() {
		return this.files.names();
	}

	/**
	 * Return whether the page needs the token of a request.
	 * @return {@code true} if the page offers writes
	 */
	public boolean needsToken() {
		return this.page.isWritable();
	}

	/**
	 * Return the redirect from the path to the page, whose address ends in a slash.
	 * @return the response
	 */
	public ResponseEntity<Void> redirect() {
		return ResponseEntity.status(HttpStatus.FOUND)
			.location(URI.create(this.page.redirect()))
			.headers(DashboardHeaders::page)
			.build();
	}

	/**
	 * Return the page.
	 * @param csrf the token that writes need, or {@code null} if they need none
	 * @return the response
	 */
	public ResponseEntity<String> page(@Nullable CsrfField csrf) {
		return ResponseEntity.ok()
			.headers(DashboardHeaders::page)
			.contentType(MediaType.TEXT_HTML)
			.body(this.page.render(csrf));
	}

	/**
	 * Return a file.
	 * @param name one of the names of the {@linkplain #files() files}
	 * @return the response
	 */
	public ResponseEntity<Resource> file(String name) {
		DashboardFile file = this.files.get(name);
		return ResponseEntity.ok()
			.headers(DashboardHeaders::file)
			.eTag(file.entityTag())
			.contentType(file.type())
			.body(file.content());
	}

}
