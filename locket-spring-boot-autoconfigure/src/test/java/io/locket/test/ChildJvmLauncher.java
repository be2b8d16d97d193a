package io.locket.test;

import java.util.Arrays;

/**
 * What a {@link ChildJvm} really starts: its main class, and an end when the parent ends.
 */
final class ChildJvmLauncher {

	private ChildJvmLauncher() {
	}

	public static void main(String[] args) throws ReflectiveOperationException {
		ProcessHandle.current()
			.parent()
			.ifPresent((parent) -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
		Class.forName(args[0])
			.getDeclaredMethod("main", String[].class)
			.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
	}

}
