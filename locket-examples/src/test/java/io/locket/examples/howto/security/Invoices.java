package io.locket.examples.howto.security;

import io.locket.UniqueJob;

import org.springframework.stereotype.Service;

@Service
public class Invoices {

	@UniqueJob(name = "invoices.write", queue = "invoices", maskArguments = "true")
	public void write(String iban) {
		throw new IllegalStateException("Nothing is written to " + iban);
	}

	@UniqueJob(name = "invoices.archive", queue = "invoices")
	public void archive(long invoiceId) {
		throw new IllegalStateException("Nothing is archived of " + invoiceId);
	}

}
