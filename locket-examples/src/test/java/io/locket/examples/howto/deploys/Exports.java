package io.locket.examples.howto.deploys;

import java.util.List;

import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Exports {

	private final Rows rows;

	Exports(Rows rows) {
		this.rows = rows;
	}

	@UniqueJob(name = "exports.write", key = "#exportId", queue = "exports")
	public void write(long exportId) {
		JobContext context = JobContext.required("exports.write");
		List<String> open = this.rows.notWritten(exportId);
		for (String row : open) {
			if (Thread.currentThread().isInterrupted()) {
				return;
			}
			this.rows.write(exportId, row);
		}
		context.markCompleted();
	}

}
