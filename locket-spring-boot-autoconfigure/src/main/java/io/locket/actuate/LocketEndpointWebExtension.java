package io.locket.actuate;

import java.security.Principal;
import java.util.Objects;
import java.util.Set;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.ProblemDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Web operations of the {@link LocketEndpoint}. The status is 404 for an unknown entry,
 * 400 for invalid input, 501 for an operation that the store does not support, and 503 if
 * the store does not respond. The body has the reason. Thread-safe.
 */
@EndpointWebExtension(endpoint = LocketEndpoint.class)
public final class LocketEndpointWebExtension {

	private static final String ANONYMOUS = "anonymous";

	private final EndpointSections sections;

	private final Show showArguments;

	private final Set<String> roles;

	private final WriteAudit audit;

	/**
	 * Creates an extension.
	 * @param endpoint the endpoint
	 * @param showArguments when arguments are shown
	 * @param roles the roles that authorize a user to see arguments, empty for all
	 * authenticated users
	 * @param events the publisher of an audit event for each write
	 */
	public LocketEndpointWebExtension(LocketEndpoint endpoint, Show showArguments, Set<String> roles,
			ApplicationEventPublisher events) {
		this.sections = endpoint.sections();
		this.showArguments = Objects.requireNonNull(showArguments, "'showArguments' must not be null");
		this.roles = Set.copyOf(roles);
		this.audit = new WriteAudit(Objects.requireNonNull(events, "'events' must not be null"));
	}

	/**
	 * Returns the overview.
	 * @return an {@link OverviewDescriptor} or a {@link ProblemDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> overview() {
		return WebResponses.of(this.sections::overview);
	}

	/**
	 * Returns the entries of a section.
	 * @param security the security context of the request
	 * @param section the path of the section
	 * @param queue the queue of the jobs, or {@code null} for all
	 * @param job the name of the jobs, or {@code null} for all
	 * @param key the digest of the key of the jobs, or {@code null} for all
	 * @param state the states of the jobs, separated by commas, or {@code null} for all
	 * @param limit the maximum number of entries, from 1 to 1000, or {@code null} for 50
	 * @param cursor the start of the page, or {@code null} for the first one
	 * @param text a text in the arguments of the jobs, or {@code null} for all
	 * @param dueFrom the earliest due time of the jobs, in ISO 8601 with an offset, or
	 * {@code null} for any
	 * @param dueUntil the time before which the jobs are due, or {@code null} for any
	 * @return a descriptor
	 */
	@ReadOperation
	public WebEndpointResponse<Object> list(SecurityContext security, @Selector String section, @Nullable String queue,
			@Nullable String job, @Nullable String key, @Nullable String state, @Nullable String limit,
			@Nullable String cursor, @Nullable String text, @Nullable String dueFrom, @Nullable String dueUntil) {
		return WebResponses.of(() -> this.sections.section(section)
			.list(new ListQuery(queue, job, key, state, limit, cursor, text, dueFrom, dueUntil), mask(security)));
	}

	/**
	 * Returns an entry of a section.
	 * @param security the security context of the request
	 * @param section the path of the section
	 * @param name the name or the id of the entry
	 * @param queue the queue of the counted jobs, or {@code null} for all
	 * @param job the name of the listed jobs, or {@code null} for all
	 * @param key the digest of the key of the listed jobs, or {@code null} for all
	 * @param state the states of the listed jobs, separated by commas, or {@code null}
	 * for all
	 * @param limit the maximum number of jobs, from 1 to 1000, or {@code null} for 50
	 * @param cursor the start of the page, or {@code null} for the first one
	 * @param text a text in the arguments of the jobs, or {@code null} for all
	 * @param dueFrom the earliest due time of the jobs, in ISO 8601 with an offset, or
	 * {@code null} for any
	 * @param dueUntil the time before which the jobs are due, or {@code null} for any
	 * @return a descriptor
	 */
	@ReadOperation
	public WebEndpointResponse<Object> entry(SecurityContext security, @Selector String section, @Selector String name,
			@Nullable String queue, @Nullable String job, @Nullable String key, @Nullable String state,
			@Nullable String limit, @Nullable String cursor, @Nullable String text, @Nullable String dueFrom,
			@Nullable String dueUntil) {
		return WebResponses.of(() -> this.sections.section(section)
			.entry(name, new ListQuery(queue, job, key, state, limit, cursor, text, dueFrom, dueUntil),
					mask(security)));
	}

	/**
	 * Applies an operation to an entry of a section.
	 * @param security the security context of the request
	 * @param section the path of the section
	 * @param name the name or the id of the entry
	 * @param action the name of the operation
	 * @param queue the queue to which a job is moved; unused by other operations
	 * @param at the new due time of a rescheduled job, in ISO 8601 with an offset; unused
	 * by other operations
	 * @param create {@code true} to pause a queue that never had a job; unused by other
	 * operations
	 * @return a {@link ResultDescriptor} or a {@link ProblemDescriptor}
	 */
	@WriteOperation
	public WebEndpointResponse<Object> write(SecurityContext security, @Selector String section, @Selector String name,
			@Selector String action, @Nullable String queue, @Nullable String at, @Nullable String create) {
		return WebResponses.of(() -> {
			EndpointSection found = this.sections.section(section);
			EndpointWrite write = EndpointWrite.ofAction(section, action);
			String argument = switch (write) {
				case JOB_MOVED -> queue;
				case JOB_RESCHEDULED -> at;
				case QUEUE_PAUSED -> create;
				default -> null;
			};
			return this.audit.write(nameOf(security), write, name, argument,
					() -> this.sections.change(() -> found.write(write, name, argument)));
		});
	}

	/**
	 * Writes to a bounded number of jobs. The response has the cursor of the next
	 * request.
	 * @param security the security context of the request
	 * @param section the path of the section
	 * @param action the action
	 * @param queue the queue of the jobs, or {@code null} for all
	 * @param job the name of the jobs, or {@code null} for all
	 * @param key the digest of the key of the jobs, or {@code null} for all
	 * @param state the states of the jobs, separated by commas
	 * @param limit the largest number of jobs, from 1 to 1000, or {@code null} for 500
	 * @param cursor the cursor of the previous response, or {@code null} at first
	 * @param text a text in the arguments of the jobs, or {@code null} for all
	 * @param dueFrom the earliest due time of the jobs, in ISO 8601 with an offset, or
	 * {@code null} for any
	 * @param dueUntil the time before which the jobs are due, or {@code null} for any
	 * @param to the queue to which jobs are moved; no other action needs it
	 * @param at the due time of jobs that are rescheduled, in ISO 8601 with an offset; no
	 * other action needs it
	 * @return a {@link BatchDescriptor} or a {@link ProblemDescriptor}
	 */
	@WriteOperation
	public WebEndpointResponse<Object> writeBatch(SecurityContext security, @Selector String section,
			@Selector String action, @Nullable String queue, @Nullable String job, @Nullable String key,
			@Nullable String state, @Nullable String limit, @Nullable String cursor, @Nullable String text,
			@Nullable String dueFrom, @Nullable String dueUntil, @Nullable String to, @Nullable String at) {
		return WebResponses.of(() -> {
			EndpointSection found = this.sections.section(section);
			EndpointWrite write = EndpointWrite.ofAction(section, action);
			ListQuery query = new ListQuery(queue, job, key, state, limit, cursor, text, dueFrom, dueUntil);
			String argument = switch (write) {
				case JOB_MOVED -> to;
				case JOB_RESCHEDULED -> at;
				default -> null;
			};
			return this.audit.writeBatch(nameOf(security), write, query, argument,
					() -> this.sections.change(() -> found.writeBatch(write, query, argument, mask(security))));
		});
	}

	/**
	 * Removes an entry of a section.
	 * @param security the security context of the request
	 * @param section the path of the section
	 * @param name the name or the digest of the entry
	 * @return a {@link ResultDescriptor} or a {@link ProblemDescriptor}
	 */
	@DeleteOperation
	public WebEndpointResponse<Object> delete(SecurityContext security, @Selector String section,
			@Selector String name) {
		return WebResponses.of(() -> {
			EndpointSection found = this.sections.section(section);
			EndpointWrite write = EndpointWrite.ofDeletion(section);
			return this.audit.write(nameOf(security), write, name, null,
					() -> this.sections.change(() -> found.write(write, name, null)));
		});
	}

	private ArgumentMask mask(SecurityContext security) {
		return this.sections.mask(this.showArguments.isShown(security, this.roles));
	}

	private static String nameOf(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? principal.getName() : ANONYMOUS;
	}

}
