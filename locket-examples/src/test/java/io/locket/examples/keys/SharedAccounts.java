package io.locket.examples.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import io.locket.UniqueJob;

class SharedAccounts {

	enum AccountWork {

		CLOSE, REPORT

	}

	private final List<String> done = new ArrayList<>();

	private final Map<AccountWork, LongConsumer> accounts = Map.of(AccountWork.CLOSE,
			(account) -> this.done.add("close " + account), AccountWork.REPORT,
			(account) -> this.done.add("report " + account));

	@UniqueJob(name = "account", key = "#account")
	public void work(AccountWork kind, long account) {
		this.accounts.get(kind).accept(account);
	}

	public List<String> done() {
		return this.done;
	}

}
