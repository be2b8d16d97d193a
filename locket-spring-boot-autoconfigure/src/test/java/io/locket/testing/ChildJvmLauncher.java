package io.locket.testing;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * The actual main class of a {@link ChildJvm}. It runs the requested main class and ends
 * when the parent ends.
 */
public final class ChildJvmLauncher {

	private ChildJvmLauncher() {
	}

	/**
	 * Runs the main class in the first argument.
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
