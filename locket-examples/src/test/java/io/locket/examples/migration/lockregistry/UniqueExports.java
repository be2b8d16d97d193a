package io.locket.examples.migration.lockregistry;

import io.locket.ConflictStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class UniqueExports {

	private int exports;

	@UniqueJob(name = "export", onConflict = ConflictStrategy.WAIT, waitFor = "${export.wait:10s}")
	public void export(String table) {
		write(table);
	}

	private void write(String table) {
		this.exports++;
	}

	public int exports() {
		return this.exports;
	}

}
