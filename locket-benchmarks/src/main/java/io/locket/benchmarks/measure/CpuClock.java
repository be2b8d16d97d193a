package io.locket.benchmarks.measure;

import java.lang.management.ManagementFactory;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.management.OperatingSystemMXBean;

/**
 * CPU time of this process, with all of its threads, also those that have ended. On Linux
 * the kernel reports it in nanoseconds. The JVM reports it in steps of 10 ms there, and a
 * run of some variants takes only two of them.
 */
public final class CpuClock {

	private static final OperatingSystemMXBean SYSTEM = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private static final boolean LINUX = Platform.isLinux() && Platform.is64Bit();

	private CpuClock() {
	}

	/**
	 * Returns the CPU time since the start of this process.
	 * @return nanoseconds
	 */
	public static long nanos() {
		return LINUX ? Kernel.nanos() : SYSTEM.getProcessCpuTime();
	}

	/**
	 * The clock of Linux.
	 */
	private static final class Kernel {

		/**
		 * {@code CLOCK_PROCESS_CPUTIME_ID}.
		 */
		private static final int PROCESS = 2;

		private static final CLibrary C = Native.load("c", CLibrary.class);

		static long nanos() {
			long[] secondsAndNanos = new long[2];
			C.clock_gettime(PROCESS, secondsAndNanos);
			return secondsAndNanos[0] * 1_000_000_000 + secondsAndNanos[1];
		}

	}

	/**
	 * The functions of the C library, by their names there.
	 */
	private interface CLibrary extends Library {

		int clock_gettime(int clock, long[] time) throws LastErrorException;

	}

}
