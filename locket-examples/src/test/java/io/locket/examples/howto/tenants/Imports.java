package io.locket.examples.howto.tenants;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Imports {

	private final List<String> files = new CopyOnWriteArrayList<>();

	@UniqueJob(name = "imports.one", key = "#tenant", queue = "imports")
	public void importOne(String tenant, long fileId) {
		read(tenant, fileId);
	}

	@UniqueJob(name = "imports.few", key = "{#tenant, #fileId % 3}", queue = "imports")
	public void importFew(String tenant, long fileId) {
		read(tenant, fileId);
	}

	@UniqueJob(name = "imports.any", key = "{#tenant, #fileId}", queue = "imports")
	public void importAny(String tenant, long fileId) {
		read(tenant, fileId);
	}

	private void read(String tenant, long fileId) {
		this.files.add(tenant + " " + fileId);
	}

	public List<String> files() {
		return this.files;
	}

}
