package io.locket.examples.howto.fencing;

import java.util.function.LongFunction;

import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

@Service
public class Reports {

	private final JdbcClient jdbc;

	private final LongFunction<String> renderer;

	Reports(JdbcClient jdbc, LongFunction<String> renderer) {
		this.jdbc = jdbc;
		this.renderer = renderer;
	}

	@UniqueJob(name = "reports.write", key = "#reportId", queue = "reports")
	public void write(long reportId) {
		JobContext context = JobContext.required("reports.write");
		String body = this.renderer.apply(reportId);
		int rows = this.jdbc.sql("update report set body = :body, token = :token where id = :id and token <= :token")
			.param("body", body)
			.param("token", context.fencingToken())
			.param("id", reportId)
			.update();
		if (rows == 0) {
			throw new IllegalStateException("Report " + reportId + " does not exist, or a later run has written it");
		}
	}

}
