package io.locket.dashboard.browser;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Requests that wait at the application until a test lets them pass. A request is named
 * by its method, path and query.
 */
final class HeldRequests extends OncePerRequestFilter {

	private static final int ALL = 1_000_000;

	private final List<String> arrived = new CopyOnWriteArrayList<>();

	private volatile @Nullable String held;

	private volatile @Nullable Refusal refusal;

	private volatile Semaphore permits = new Semaphore(0);

	/**
	 * Hold requests from now on.
	 * @param part text that their names contain
	 */
	void hold(String part) {
		this.arrived.clear();
		this.refusal = null;
		this.permits = new Semaphore(0, true);
		this.held = part;
	}

	/**
	 * Returns the names of the requests that have been held, also if they have passed.
	 */
	List<String> arrived() {
		return List.copyOf(this.arrived);
	}

	/**
	 * Let the request pass that has waited longest, or the next one.
	 */
	void passOne() {
		this.permits.release();
	}

	/**
	 * Let all requests pass, and hold none any more.
	 */
	void passAll() {
		this.held = null;
		this.permits.release(ALL);
	}

	/**
	 * Refuse all requests that wait, as if Redis did not respond, and hold none any more.
	 */
	void refuseAll() {
		this.refusal = new Refusal(HttpStatus.SERVICE_UNAVAILABLE, """
				{"message": "Redis does not respond."}""");
		passAll();
	}

	/**
	 * Refuse requests from now on, as a proxy that does not reach the application.
	 * @param part text that their names contain
	 * @param status the status of the responses
	 * @param body the body of the responses
	 */
	void refuse(String part, HttpStatus status, String body) {
		hold(part);
		this.refusal = new Refusal(status, body);
		this.permits.release(ALL);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String name = request.getMethod() + " " + request.getRequestURI() + "?" + request.getQueryString();
		String part = this.held;
		if (part == null || !name.contains(part)) {
			chain.doFilter(request, response);
			return;
		}
		Semaphore permit = this.permits;
		this.arrived.add(name);
		permit.acquireUninterruptibly();
		Refusal refusal = this.refusal;
		if (refusal == null) {
			chain.doFilter(request, response);
			return;
		}
		response.setStatus(refusal.status().value());
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.getWriter().write(refusal.body());
	}

	/**
	 * The response to requests that are refused.
	 */
	private record Refusal(HttpStatus status, String body) {

	}

}
