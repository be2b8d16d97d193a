package io.locket.examples.howto.debounce;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class SearchIndex {

	private final List<String> written = new CopyOnWriteArrayList<>();

	@UniqueJob(name = "search.update", key = "#productId", queue = "search",
			lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING, onDuplicate = DuplicateStrategy.REPLACE, maxDelay = "5m")
	public void update(long productId, long version) {
		write(productId, version);
	}

	private void write(long productId, long version) {
		this.written.add(productId + " v" + version);
	}

	public List<String> written() {
		return this.written;
	}

}
