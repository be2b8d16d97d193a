package io.locket.lease;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InstanceNames}.
 */
class InstanceNamesTests {

	@Test
	void nameHasHostProcessAndARandomPart() {
		assertThat(InstanceNames.create()).matches("[^/]+/" + ProcessHandle.current().pid() + "/[0-9a-f]{8}")
			.isNotEqualTo(InstanceNames.create());
	}

}
