package io.locket.actuate;

import org.jspecify.annotations.Nullable;

/**
 * A part of the endpoint, with a path of its own below it.
 */
interface EndpointSection {

	/**
	 * Return the path, which is a plural.
	 */
	String path();

	/**
	 * Answer what is there.
	 * @param query which of it
	 * @param mask hides what is to be hidden
	 * @return a descriptor
	 */
	Object list(ListQuery query, ArgumentMask mask);

	/**
	 * Answer what one entry is.
	 * @param name the name or the id of the entry
	 * @param query which of what it has
	 * @param mask hides what is to be hidden
	 * @return a descriptor
	 * @throws UnknownEntryException if there is no such entry
	 */
	default Object entry(String name, ListQuery query, ArgumentMask mask) {
		throw new UnknownEntryException("There is nothing below '" + path() + "'");
	}

	/**
	 * Do something to an entry.
	 * @param write what to do
	 * @param name the name or the id of the entry
	 * @param queue the queue to move to, or {@code null}
	 * @return what came of it
	 * @throws UnknownEntryException if there is no such entry
	 */
	default ResultDescriptor write(EndpointWrite write, String name, @Nullable String queue) {
		throw new IllegalStateException("Nothing is written to '" + path() + "'");
	}

}
