package io.locket.examples.directcalls;

import org.springframework.stereotype.Service;

@Service
public class Exports {

	@Exclusive(patience = "20ms")
	public String export(String table) {
		return table + ".csv";
	}

}
