package io.locket.examples.migration.redisson;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class Exports {

	private long token;

	@UniqueJob(name = "export", onConflict = ConflictStrategy.WAIT, waitFor = "10s")
	public void export(String table) {
		write(table, JobContext.required("export").fencingToken());
	}

	private void write(String table, long token) {
		this.token = token;
	}

	public long token() {
		return this.token;
	}

}
