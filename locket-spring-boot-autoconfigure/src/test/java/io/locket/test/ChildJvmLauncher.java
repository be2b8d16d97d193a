package io.locket.test;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * What a {@link ChildJvm} really starts: its main class, and an end when the parent ends.
 */
public final class ChildJvmLauncher {

	private ChildJvmLauncher() {
	}

	/**
	 * Run the main class that the first argument names.
	 * @param args the name of the class and its own arguments
	 * @throws ReflectiveOperationException if there is no such class or it fails
	 */
	public static void main(String[] args) throws ReflectiveOperationException {
		ProcessHandle.current()
			.parent()
			.ifPresent((parent) -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
		Method main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
		main.setAccessible(true);
		main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
	}

}
