package io.locket.actuate;

import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A section of the endpoint, with a path of its own.
 */
interface EndpointSection {

	/**
	 * Returns the path, in the plural.
	 */
	String path();

	/**
	 * Returns the names of the parameters of a list request.
	 */
	default Set<String> listParameters() {
		return Set.of();
	}

	/**
	 * Returns the names of the parameters of a request for an entry.
	 * @param name the name or the id of the entry
	 */
	default Set<String> entryParameters(String name) {
		return Set.of();
	}

	/**
	 * Returns the parameters that a request that writes to many entries may have, beside
	 * that of its action.
	 */
	default Set<String> batchParameters() {
		return Set.of();
	}

	/**
	 * Returns a list of entries.
	 * @param query the filter and the page
	 * @param mask the mask of hidden values
	 * @return a descriptor
	 */
	Object list(ListQuery query, ArgumentMask mask);

	/**
	 * Returns an entry.
	 * @param name the name or the id of the entry
	 * @param query the filter and the page of its contents
	 * @param mask the mask of hidden values
	 * @return a descriptor
	 * @throws UnknownEntryException if there is no such entry
	 */
	default Object entry(String name, ListQuery query, ArgumentMask mask) {
		throw new UnknownEntryException("There are no entries below '" + path() + "'");
	}

	/**
	 * Applies a write operation to an entry.
	 * @param write the operation
	 * @param name the name or the id of the entry
	 * @param argument the value of the operation's parameter, or {@code null}
	 * @return the result
	 * @throws UnknownEntryException if there is no such entry
	 */
	default ResultDescriptor write(EndpointWrite write, String name, @Nullable String argument) {
		throw new IllegalStateException("There are no write operations for '" + path() + "'");
	}

	/**
	 * Writes to a bounded number of entries.
	 * @param write the action
	 * @param query the entries
	 * @param argument the value of the parameter that the action needs, or {@code null}
	 * @param mask the mask of hidden values, which match no filter
	 * @return the outcome
	 * @throws UnknownEntryException if the section has no such action
	 */
	default BatchDescriptor writeBatch(EndpointWrite write, ListQuery query, @Nullable String argument,
			ArgumentMask mask) {
		throw new UnknownEntryException("Entries below '" + path()
				+ "' are changed one at a time. Write the name of an entry between the section and the operation");
	}

}
