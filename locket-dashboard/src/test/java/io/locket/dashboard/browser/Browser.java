package io.locket.dashboard.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The browser of the machine, without a window. Nothing is downloaded.
 */
final class Browser {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Optional<Path> BINARY = find("/usr/bin/chromium", "/usr/bin/google-chrome");

	private static final Optional<Path> DRIVER = find("/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver");

	private Browser() {
	}

	static boolean isPresent() {
		return BINARY.isPresent() && DRIVER.isPresent();
	}

	static ChromeDriver start() {
		File driver = DRIVER.orElseThrow().toFile();
		ChromeOptions options = new ChromeOptions();
		options.setBinary(BINARY.orElseThrow().toFile());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
				"--window-size=1280,1000", "--no-first-run", "--disable-background-networking",
				"--disable-component-update", "--disable-sync", "--disable-quic");
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		ChromeDriver browser = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(driver).usingAnyFreePort().build(), options);
		browser.manage().timeouts().pageLoadTimeout(Duration.ofMinutes(1)).scriptTimeout(Duration.ofMinutes(1));
		return browser;
	}

	static void resize(ChromeDriver browser, int width, int height) {
		browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	static void restore(ChromeDriver browser) {
		browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
	}

	/**
	 * Clicks an element as soon as it is there. A view may replace its elements
	 * meanwhile.
	 */
	static void click(ChromeDriver browser, String selector, String label) {
		Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptions()
			.untilAsserted(() -> browser.findElements(By.cssSelector(selector))
				.stream()
				.filter((element) -> element.getText().equals(label))
				.findFirst()
				.orElseThrow()
				.click());
	}

	private static Optional<Path> find(String... candidates) {
		return Stream.of(candidates).map(Path::of).filter(Files::isExecutable).findFirst();
	}

}
