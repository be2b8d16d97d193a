package io.locket.actuate;

import java.security.Principal;
import java.util.Objects;
import java.util.Set;

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
 * The paths of the {@link LocketEndpoint} on the web. What is not there is answered with
 * 404, bad input with 400, and with 503 if the store gives no answer; the body says why.
 * Thread-safe.
 */
@EndpointWebExtension(endpoint = LocketEndpoint.class)
public final class LocketEndpointWebExtension {

	private static final String ANONYMOUS = "anonymous";

	private final EndpointSections sections;

	private final Show showArguments;

	private final Set<String> roles;

	private final WriteAudit audit;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 * @param showArguments when arguments are shown
	 * @param roles the roles of those who may see them, empty for whoever has logged in
	 * @param events is told of each write, as audit events
	 */
	public LocketEndpointWebExtension(LocketEndpoint endpoint, Show showArguments, Set<String> roles,
			ApplicationEventPublisher events) {
		this.sections = endpoint.sections();
		this.showArguments = Objects.requireNonNull(showArguments, "'showArguments' must not be null");
		this.roles = Set.copyOf(roles);
		this.audit = new WriteAudit(Objects.requireNonNull(events, "'events' must not be null"));
	}

	/**
	 * Look at everything at a glance.
	 * @return an {@link OverviewDescriptor} or a {@link ProblemDescriptor}
	 */
	@ReadOperation
	public WebEndpointResponse<Object> overview() {
		return WebAnswers.of(this.sections::overview);
	}

	/**
	 * List what a section has.
	 * @param security who asks
	 * @param section the path of the section
	 * @param queue the queue whose jobs are listed, or {@code null} for all
	 * @param job the name of the jobs that are listed, or {@code null} for all
	 * @param key the digest of the key whose jobs are listed, or {@code null} for all
	 * @param state the states of the jobs that are listed, separated by commas, or
	 * {@code null} for all
	 * @param limit how many entries at most, from 1 to 1000, or {@code null} for 50
	 * @param cursor where the page begins, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public WebEndpointResponse<Object> list(SecurityContext security, @Selector String section, @Nullable String queue,
			@Nullable String job, @Nullable String key, @Nullable String state, @Nullable String limit,
			@Nullable String cursor) {
		return WebAnswers.of(() -> this.sections.section(section)
			.list(new ListQuery(queue, job, key, state, limit, cursor), mask(security)));
	}

	/**
	 * Look at one entry of a section.
	 * @param security who asks
	 * @param section the path of the section
	 * @param name the name or the id of the entry
	 * @param job the name of the jobs that are listed, or {@code null} for all
	 * @param key the digest of the key whose jobs are listed, or {@code null} for all
	 * @param state the states of the jobs that are listed, separated by commas, or
	 * {@code null} for all
	 * @param limit how many jobs at most, from 1 to 1000, or {@code null} for 50
	 * @param cursor where the page begins, or {@code null} for the first one
	 * @return a descriptor
	 */
	@ReadOperation
	public WebEndpointResponse<Object> entry(SecurityContext security, @Selector String section, @Selector String name,
			@Nullable String job, @Nullable String key, @Nullable String state, @Nullable String limit,
			@Nullable String cursor) {
		return WebAnswers.of(() -> this.sections.section(section)
			.entry(name, new ListQuery(null, job, key, state, limit, cursor), mask(security)));
	}

	/**
	 * Do something to an entry of a section.
	 * @param security who asks
	 * @param section the path of the section
	 * @param name the name or the id of the entry
	 * @param action what to do
	 * @param queue the queue to which a job is moved; nothing else needs one
	 * @return a {@link ResultDescriptor} or a {@link ProblemDescriptor}
	 */
	@WriteOperation
	public WebEndpointResponse<Object> write(SecurityContext security, @Selector String section, @Selector String name,
			@Selector String action, @Nullable String queue) {
		return WebAnswers.of(() -> {
			EndpointSection found = this.sections.section(section);
			EndpointWrite write = EndpointWrite.ofAction(section, action);
			String target = (write == EndpointWrite.JOB_MOVED) ? queue : null;
			return this.audit.write(nameOf(security), write, name, target, () -> found.write(write, name, target));
		});
	}

	/**
	 * Remove an entry of a section.
	 * @param security who asks
	 * @param section the path of the section
	 * @param name the name or the digest of the entry
	 * @return a {@link ResultDescriptor} or a {@link ProblemDescriptor}
	 */
	@DeleteOperation
	public WebEndpointResponse<Object> delete(SecurityContext security, @Selector String section,
			@Selector String name) {
		return WebAnswers.of(() -> {
			EndpointSection found = this.sections.section(section);
			EndpointWrite write = EndpointWrite.ofDeletion(section);
			return this.audit.write(nameOf(security), write, name, null, () -> found.write(write, name, null));
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
