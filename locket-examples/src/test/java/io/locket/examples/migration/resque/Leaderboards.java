package io.locket.examples.migration.resque;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
class Leaderboards {

	@UniqueJob
	public void clear(String board) {
	}

}
