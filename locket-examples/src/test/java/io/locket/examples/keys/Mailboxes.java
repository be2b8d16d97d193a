package io.locket.examples.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.locket.UniqueJob;
import io.locket.key.JobKeyGenerator;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Mailboxes {

	@Bean(defaultCandidate = false)
	JobKeyGenerator mailboxKey() {
		return (call) -> String.valueOf(call.arguments().get(0)).strip().toLowerCase(Locale.ROOT);
	}

	@Bean
	Fetcher fetcher() {
		return new Fetcher();
	}

	static class Fetcher {

		private final Reader reader = new Reader();

		@UniqueJob(keyGenerator = "mailboxKey")
		public void fetch(String mailbox) {
			this.reader.read(mailbox.strip());
		}

		public List<String> read() {
			return this.reader.mailboxes;
		}

	}

	static class Reader {

		private final List<String> mailboxes = new ArrayList<>();

		void read(String mailbox) {
			this.mailboxes.add(mailbox);
		}

	}

}
