package io.locket.sample.web;

import io.locket.DuplicateJobException;
import io.locket.LeaseUnavailableException;
import io.locket.queue.QueueUnavailableException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Exception handler that responds with the holder of a lease.
 */
@RestControllerAdvice
class LeaseProblems {

	@ExceptionHandler
	ProblemDetail duplicate(DuplicateJobException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
		problem.setTitle("Already running");
		problem.setProperty("holder", HolderView.of(ex));
		return problem;
	}

	@ExceptionHandler({ LeaseUnavailableException.class, QueueUnavailableException.class })
	ProblemDetail unavailable(RuntimeException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
		problem.setTitle("Redis does not respond");
		return problem;
	}

}
