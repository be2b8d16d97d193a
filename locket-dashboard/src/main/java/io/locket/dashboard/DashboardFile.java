package io.locket.dashboard;

import java.util.Objects;

import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;

/**
 * A file of the page.
 *
 * @param content the content
 * @param type the media type of the content
 * @param entityTag the quoted entity tag, which changes with the content
 */
record DashboardFile(Resource content, MediaType type, String entityTag) {

	DashboardFile {
		Objects.requireNonNull(content, "'content' must not be null");
		Objects.requireNonNull(type, "'type' must not be null");
		Objects.requireNonNull(entityTag, "'entityTag' must not be null");
	}

}
