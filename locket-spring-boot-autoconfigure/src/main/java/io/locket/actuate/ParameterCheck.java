package io.locket.actuate;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.actuate.descriptor.ProblemDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.StringUtils;

/**
 * Check that refuses web requests with unknown parameters, and bulk actions with empty
 * filters. Otherwise a filter with a misspelt name or without a value would be ignored,
 * and the request would apply to all entries. Thread-safe.
 */
public final class ParameterCheck implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of("locket");

	private static final String SECTION = "section";

	private static final String NAME = "name";

	private static final String ACTION = "action";

	private final Supplier<LocketEndpoint> endpoint;

	/**
	 * Creates a check.
	 * @param endpoint supplies the endpoint, called with the first request
	 */
	public ParameterCheck(Supplier<LocketEndpoint> endpoint) {
		this.endpoint = endpoint;
	}

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		Set<String> selectors = parameters.stream()
			.filter((parameter) -> parameter.getAnnotation(Selector.class) != null)
			.map((parameter) -> parameter.getName())
			.collect(Collectors.toSet());
		boolean web = selectors.contains(SECTION) || !parameters.hasParameters();
		if (!endpointId.equals(ENDPOINT) || !web) {
			return invoker;
		}
		return (context) -> {
			Map<String, Object> arguments = context.getArguments();
			Set<String> known = known(operationType, arguments);
			Set<String> unknown = new TreeSet<>(arguments.keySet());
			unknown.removeAll(selectors);
			unknown.removeAll(known);
			// Parameters of the web framework, such as _csrf, are not checked.
			unknown.removeIf((name) -> name.startsWith("_"));
			if (!unknown.isEmpty()) {
				return refusal(unknown, known);
			}
			boolean bulk = operationType == OperationType.WRITE && !arguments.containsKey(NAME);
			Set<String> empty = bulk ? emptyFilters(arguments) : Set.of();
			return empty.isEmpty() ? invoker.invoke(context) : refusalOfEmpty(empty);
		};
	}

	private static Set<String> emptyFilters(Map<String, Object> arguments) {
		Set<String> filters = new TreeSet<>(ListQuery.FILTERS);
		filters.removeIf((name) -> !arguments.containsKey(name) || !isEmpty(arguments.get(name)));
		return filters;
	}

	/**
	 * Returns whether a parameter has no value. A repeated parameter is a collection.
	 */
	private static boolean isEmpty(@Nullable Object value) {
		if (value instanceof Collection<?> values) {
			return values.isEmpty() || values.stream().anyMatch(ParameterCheck::isEmpty);
		}
		return value == null || !StringUtils.hasText(value.toString());
	}

	/**
	 * Returns the known parameters of a request. The operation itself reports an invalid
	 * path.
	 */
	private Set<String> known(OperationType type, Map<String, Object> arguments) {
		Object path = arguments.get(SECTION);
		EndpointSection section = (path != null) ? this.endpoint.get().sections().find(path.toString()) : null;
		if (section == null) {
			return (path != null) ? arguments.keySet() : Set.of();
		}
		if (type != OperationType.READ) {
			boolean many = !arguments.containsKey(NAME);
			Set<String> known = Arrays.stream(EndpointWrite.values())
				.filter((write) -> write.section().equals(path) && write.action().equals(arguments.get(ACTION)))
				.map(many ? EndpointWrite::batchArgument : EndpointWrite::argument)
				.filter(Objects::nonNull)
				.collect(Collectors.toSet());
			if (many) {
				known.addAll(section.batchParameters());
			}
			return known;
		}
		Object name = arguments.get(NAME);
		return (name != null) ? section.entryParameters(name.toString()) : section.listParameters();
	}

	private static WebEndpointResponse<Object> refusal(Set<String> unknown, Set<String> known) {
		return new WebEndpointResponse<>(
				new ProblemDescriptor("There is no parameter " + quoted(unknown) + " here. "
						+ (known.isEmpty() ? "There are no parameters" : "There are " + quoted(new TreeSet<>(known)))),
				WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	private static WebEndpointResponse<Object> refusalOfEmpty(Set<String> names) {
		return new WebEndpointResponse<>(new ProblemDescriptor("There is no value for " + quoted(names)
				+ ", and a bulk action without a filter applies to all jobs. Write a value, or leave the"
				+ " parameter out"), WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	private static String quoted(Set<String> names) {
		return names.stream().map((name) -> "'" + name + "'").collect(Collectors.joining(", "));
	}

}
